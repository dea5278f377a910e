// Charts that a reader may explore: point at a mark for its numbers, drag and stretch its time.
// Pictures and tables say all of it without this file. The program that draws in the browser is
// loaded from these pages when a reader asks for the first chart, and never before.

const NARROW = window.matchMedia("(max-width: 45rem)");
const DARK = window.matchMedia("(prefers-color-scheme: dark)");
const SAID = {
  explore: "Explore this chart",
  back: "Show the picture again",
  loading: "Loading…",
  how: "Point at a mark for its numbers; drag sideways to move, turn the wheel to stretch.",
  failed: "This did not load. The picture and the table say the same.",
};

let program = null;

const vegaEmbed = async (address) => {
  program ??= import(address);
  await program;
  return window.vegaEmbed;
};

const specification = async (address) => {
  const asked = new URL(address, window.location.href);
  asked.searchParams.set("scheme", DARK.matches ? "dark" : "light");
  asked.searchParams.set("width", NARROW.matches ? "narrow" : "wide");
  const answer = await fetch(asked);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
};

// What a mark says, as text beside the pointer.
const tip = document.createElement("div");
tip.className = "chart-tip";
tip.hidden = true;
document.body.append(tip);

const point = (_handler, event, _item, value) => {
  tip.hidden = value === null || typeof value !== "object";
  if (tip.hidden) return;
  const list = document.createElement("dl");
  for (const [name, said] of Object.entries(value)) {
    const term = document.createElement("dt");
    const words = document.createElement("dd");
    term.textContent = name;
    words.textContent = String(said);
    list.append(term, words);
  }
  tip.replaceChildren(list);
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.min(event.clientX + 12, window.innerWidth - width - 8);
  const top = Math.min(event.clientY + 12, window.innerHeight - height - 8);
  tip.style.left = `${Math.max(0, left)}px`;
  tip.style.top = `${Math.max(0, top)}px`;
};

const draw = async (figure, live) => {
  const [embed, spec] = await Promise.all([
    vegaEmbed(figure.dataset.program),
    specification(figure.dataset.explored),
  ]);
  const options = {
    actions: false,
    ast: true, // no eval: the policy of these pages allows none
    defaultStyle: false,
    renderer: "canvas",
    tooltip: point,
  };
  return embed(live, spec, options);
};

const prepare = (figure) => {
  const picture = figure.querySelector("picture");
  const place = figure.querySelector(".explore");
  const button = document.createElement("button");
  const status = document.createElement("span");
  const live = document.createElement("div");
  let drawn = null;

  const show = (alive) => {
    picture.hidden = alive;
    live.hidden = !alive;
    tip.hidden = true;
    button.textContent = alive ? SAID.back : SAID.explore;
    status.textContent = alive ? SAID.how : "";
  };

  const leave = () => {
    drawn?.finalize();
    drawn = null;
    live.replaceChildren();
    show(false);
  };

  const explore = async () => {
    button.disabled = true;
    status.textContent = SAID.loading;
    try {
      live.hidden = false;
      drawn = await draw(figure, live);
      show(true);
    } catch (problem) {
      leave();
      status.textContent = SAID.failed;
      console.error(problem);
    }
    button.disabled = false;
  };

  button.type = "button";
  status.setAttribute("role", "status");
  live.className = "live";
  live.setAttribute("role", "img");
  live.setAttribute("aria-label", picture.querySelector("img").alt);
  picture.after(live);
  place.append(button, status);
  show(false);
  button.addEventListener("click", () => (drawn ? leave() : explore()));
  // Another width or scheme has another picture, so an open chart makes way for that.
  for (const change of [NARROW, DARK]) change.addEventListener("change", leave);
};

document.querySelectorAll("figure.chart[data-explored]").forEach(prepare);
