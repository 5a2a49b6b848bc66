import type { IncomingMessage } from 'node:http'

export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Makes Node serve every other upgrade offer as a normal request. Versions before 24.9 ignore it. */
export const onlyWebSocketUpgrades = { shouldUpgradeCallback: isWebSocketRequest }
