detach {alias};
