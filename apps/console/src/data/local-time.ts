/** The value of a datetime-local input: local time, to the minute. */
export function toLocalInputValue(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

interface Days {
  readonly From?: string
  readonly To?: string
}

/** The times between two local days, including the last day. */
export function dayRange({ From, To }: Days): Days {
  return {
    ...(From !== undefined && { From: new Date(`${From}T00:00`).toISOString() }),
    ...(To !== undefined && { To: new Date(new Date(`${To}T00:00`).getTime() + 86_400_000).toISOString() }),
  }
}
