package seal

// Derived is the number of keys that are kept.
func Derived(k *Keys) int { return len(k.derived) }
