import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown

/** Between listening and serving: what comes before everything is set up waits here. */
export interface StartGate {
  readonly opened: Promise<void>
  open(): void
  /** The same handler, called once the gate is open. */
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
    // A client that leaves meanwhile would end the process with an error that nobody handles.
    const ignore = () => undefined
    socket.on('error', ignore)
    await opened
    socket.removeListener('error', ignore)
    if (!socket.destroyed) handle(request, socket, head)
  }
}
