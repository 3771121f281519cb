copy from database "{database}" to {alias};
