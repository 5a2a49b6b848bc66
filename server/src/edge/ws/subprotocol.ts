/** `realtime` where it is offered. The others that clients of the provider offer hold keys, and are never echoed. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has('realtime') ? 'realtime' : false
}
