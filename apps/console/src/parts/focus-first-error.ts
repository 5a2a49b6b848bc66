/** Scrolls to the first invalid field, which may be far from the button. */
export function focusFirstError(within: ParentNode): void {
  requestAnimationFrame(() => within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
