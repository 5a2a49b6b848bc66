/* What those outside of the service have said and heard: the provider, the tools, and the receivers of webhooks. */

/** Words that the provider has said, its own or the user's as it has understood them. */
export interface SaidWords {
  /** In the order they were spoken, in this connection. */
  readonly number: number
  readonly role: 'user' | 'assistant'
  readonly at: number
}

export interface SaidCall {
  readonly callId: string
  /** What the tool's endpoint is called with. */
  readonly effect: string
  readonly at: number
}

export interface HeardOutput {
  readonly callId: string
  /** As part of what happened before, not as the answer to a call that waits. */
  readonly isReplayed: boolean
  readonly at: number
}

/** One connection of the service to the provider. */
export interface ProviderConnectionEntry {
  /** That of the load's session; empty where the service never said. */
  readonly key: string
  readonly openedAt: number
  readonly closedAt: number | null
  readonly words: readonly SaidWords[]
  readonly calls: readonly SaidCall[]
  readonly outputs: readonly HeardOutput[]
}

/** A request that has reached a tool. */
export interface EffectEntry {
  readonly effect: string
  readonly at: number
}

export interface OutsideBooks {
  readonly connections: readonly ProviderConnectionEntry[]
  readonly effects: readonly EffectEntry[]
  /** Of the deliveries that were taken, how often each: `type id`. */
  readonly delivered: Readonly<Record<string, number>>
  readonly refusedDeliveries: number
  readonly modelSteps: number
}

/** What the provider says: who says it, in which session, as which of the things it says there. */
export const wordsOf = (key: string, { number, role }: Pick<SaidWords, 'number' | 'role'>) =>
  `${key} #${number} ${role === 'user' ? 'asks' : 'answers'}`

/** The session and number of words that were said so. */
export function parseWords(content: string): { readonly key: string; readonly number: number } | null {
  const found = /^(\S+) #(\d+) (?:asks|answers)$/.exec(content)
  return found ? { key: found[1] ?? '', number: Number(found[2]) } : null
}
