import threading
import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.web.test_browser_review import address
from web.frozen import snapshots
def test_x(browser, office, address):
    ctx = browser.new_context(java_script_enabled=False)
    p = ctx.new_page()
    p.goto(address + "/benchmarks/kitebench")
    import time
    t=time.time()
    s = ctx.new_cdp_session(p)
    s.send("Emulation.setScriptExecutionDisabled", {"value": False})
    r = Axe().run(p)
    print(r.violations_count, time.time()-t, r.response["passes"].__len__())
    s.send("Emulation.setScriptExecutionDisabled", {"value": True})
    p.goto(address + "/report?target=claims/" )
    for h in ("benchmarks/kitebench","corrections"):
        p.goto(address+"/"+h)
    print(p.locator("main").inner_text())
