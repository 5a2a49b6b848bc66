const key = 'parley.playground.turn'

interface RememberedTurn {
  readonly conversationId: string
  readonly turnId: string
}

/** The running turn, so that a reloaded page can resume its stream. */
export const rememberedTurn = {
  set: (turn: RememberedTurn) => sessionStorage.setItem(key, JSON.stringify(turn)),
  clear: () => sessionStorage.removeItem(key),
  /** Null if this conversation has no running turn. */
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
