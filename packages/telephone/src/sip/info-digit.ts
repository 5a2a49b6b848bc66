/** Returns the digit of an INFO request, or null: `application/dtmf-relay` and `application/dtmf`. */
export function digitOfInfo(contentType: string, body: string): string | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  const text = body.slice(0, 200)
  const signal =
    type === 'application/dtmf-relay'
      ? /^\s*signal\s*=\s*(\S{1,2})/im.exec(text)?.[1]
      : type === 'application/dtmf'
        ? text.trim()
        : undefined
  if (signal === undefined) return null
  if (signal === '10') return '*'
  if (signal === '11') return '#'
  return /^[0-9A-D*#]$/i.test(signal) ? signal.toUpperCase() : null
}
