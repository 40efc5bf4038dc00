"""What the product speaks of: frozen records, nothing that runs. Import the module you need."""
