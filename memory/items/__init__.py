"""Items: what applications keep under a namespace and a key. Each is a memory, and so recalled and forgotten as one."""
