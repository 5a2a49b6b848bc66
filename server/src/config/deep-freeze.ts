/** Freezes a tree of plain objects and arrays in place. Its type should already be readonly all the way down. */
export function deepFreeze<T extends object>(tree: T): T {
  const children: readonly unknown[] = Object.values(tree)
  for (const child of children) {
    if (typeof child === 'object' && child !== null) deepFreeze(child)
  }
  return Object.freeze(tree)
}
