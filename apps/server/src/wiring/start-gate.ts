import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown

/** Delays requests that arrive before the setup has finished. */
export interface StartGate {
  readonly opened: Promise<void>
  open(): void
  /** Returns a handler that is called once the gate is open. */
  guardUpgrade(handle: UpgradeHandler): UpgradeHandler
}

export function makeStartGate(): StartGate {
  let isOpen = false
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = () => {
      isOpen = true
      resolve()
    }
  })
  return {
    opened,
    open: () => open(),
    guardUpgrade: (handle) => (request, socket, head) => {
      if (isOpen) handle(request, socket, head)
      else void handleLater(handle, request, socket, head)
    },
  }

  async function handleLater(handle: UpgradeHandler, ...[request, socket, head]: Parameters<UpgradeHandler>) {
    // Handles errors, because an unhandled one would end the process if the client disconnects now.
    const ignore = () => undefined
    socket.on('error', ignore)
    await opened
    socket.removeListener('error', ignore)
    if (!socket.destroyed) handle(request, socket, head)
  }
}
