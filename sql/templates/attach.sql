attach '{path}' as {alias};
