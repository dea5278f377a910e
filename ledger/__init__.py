"""What happened: values, events, the rules and the fold, wire form, store, archive, importing."""
