interface Times {
  readonly answeredAt: string | null
  readonly endedAt: string | null
}

/** Returns the milliseconds from the answer to the end, or null if the call was not answered or has not ended. */
export function callMilliseconds({ answeredAt, endedAt }: Times): number | null {
  if (answeredAt === null || endedAt === null) return null
  return Math.max(0, Date.parse(endedAt) - Date.parse(answeredAt))
}

/** Returns the duration of a call in whole seconds, or null like `callMilliseconds`. */
export function callSeconds(times: Times): number | null {
  const milliseconds = callMilliseconds(times)
  return milliseconds === null ? null : Math.round(milliseconds / 1000)
}
