const told = new WeakSet<Error>()

/** Marks an error that one line of the log tells of already, such as the one that says that the database is away. */
export function markAsTold(error: unknown): void {
  if (error instanceof Error) told.add(error)
}

/** Returns whether an error, or one of its causes, was marked. */
export function isTold(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (told.has(each)) return true
  return false
}
