export function hostnameOf(url: URL): string {
  return bareHostname(url.hostname)
}

/** Returns the host without URL syntax: the brackets of IPv6 and the final dot of an absolute name. */
export function bareHostname(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return isSecure(url) ? 443 : 80
}

export function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'wss:'
}
