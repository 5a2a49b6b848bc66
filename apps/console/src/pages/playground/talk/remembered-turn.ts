const key = 'parley.playground.turn'

interface RememberedTurn {
  readonly conversationId: string
  readonly turnId: string
}

/** The turn that is being answered, so that a page that is loaded again can go on listening. */
export const rememberedTurn = {
  set: (turn: RememberedTurn) => sessionStorage.setItem(key, JSON.stringify(turn)),
  clear: () => sessionStorage.removeItem(key),
  /** Null where none was going on in this conversation. */
  of(conversationId: string): string | null {
    try {
      const turn: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
      if (typeof turn !== 'object' || turn === null || !('turnId' in turn) || !('conversationId' in turn))
        return null
      return turn.conversationId === conversationId && typeof turn.turnId === 'string' ? turn.turnId : null
    } catch {
      return null
    }
  },
}
