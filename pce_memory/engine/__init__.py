"""The four functions joined: the core module, and the operations built on it."""
