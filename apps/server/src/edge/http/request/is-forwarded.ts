import type { IncomingMessage } from 'node:http'

const headersOfProxies = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via']

/** Whether a proxy says that it stands between the caller and this connection. */
export function isForwarded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headersOfProxies.some((name) => headers[name] !== undefined)
}
