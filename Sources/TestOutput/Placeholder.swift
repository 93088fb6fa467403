/// Replaced by the module's first real file.
