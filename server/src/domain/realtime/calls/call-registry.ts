import type { SessionSetup } from '../../../ports/realtime-session-store.js'

/*
 * Whose a tool call is. What the session's request declared is the client's; everything else is the service's to
 * answer, also a name that the model has made up.
 *
 *   client call: open ──the client's output passes, or it was cut off──► over
 */
export class CallRegistry {
  readonly #clientToolNames: ReadonlySet<string>
  readonly #backendCalls = new Set<string>()
  readonly #clientCalls = new Set<string>()
  readonly #openClientCalls = new Set<string>()

  constructor(clientToolNames: readonly string[]) {
    this.#clientToolNames = new Set(clientToolNames)
  }

  get hasOpenClientCall(): boolean {
    return this.#openClientCalls.size > 0
  }

  isBackendCall(callId: string): boolean {
    return this.#backendCalls.has(callId)
  }

  /** Remembers a call; returns whose it is and whether it is new. */
  learn(callId: string, toolName: string): { readonly owner: 'client' | 'backend'; readonly isNew: boolean } {
    const isClients = this.#clientToolNames.has(toolName)
    const known = isClients ? this.#clientCalls : this.#backendCalls
    const isNew = !known.has(callId)
    known.add(callId)
    if (isClients && isNew) this.#openClientCalls.add(callId)
    return { owner: isClients ? 'client' : 'backend', isNew }
  }

  /** The client has answered a call, or nobody will: it was cut off. False where it was not open. */
  close(callId: string): boolean {
    return this.#openClientCalls.delete(callId)
  }
}

/** The tools that the client has declared and runs itself. */
export function clientToolNames({ tools, backendTools }: SessionSetup): string[] {
  const ours = new Set(backendTools.map(({ name }) => name))
  return tools.map(({ name }) => name).filter((name) => !ours.has(name))
}
