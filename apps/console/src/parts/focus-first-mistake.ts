/** Leads to the first field that is wrong, once it is marked: it may be far from the button that was pressed. */
export function focusFirstMistake(within: ParentNode): void {
  requestAnimationFrame(() => within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
