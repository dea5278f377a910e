"""What people who do this job run into, rule by rule.

The cases are those of ``../shared/cases/public-reports.md``; models, vendors, people and numbers
are made up. Each file bears the name of the rule and says which case it comes from.
"""
