/** The end user and the values of variables for trying an agent. Remembered by agent until the tab closes. */
export interface CallerContext {
  /** Empty for an anonymous end user. */
  readonly externalUserId: string
  readonly variables: Readonly<Record<string, string>>
}

const keyOf = (agentId: string) => `parley.context.${agentId}`

export function storedContext(agentId: string): CallerContext {
  const text = sessionStorage.getItem(keyOf(agentId))
  return text === null ? { externalUserId: '', variables: {} } : (JSON.parse(text) as CallerContext)
}

export function storeContext(agentId: string, context: CallerContext): void {
  sessionStorage.setItem(keyOf(agentId), JSON.stringify(context))
}

/** The fields of a question or session. */
export function contextFields({ externalUserId, variables }: CallerContext) {
  return { ...(externalUserId !== '' && { externalUserId }), variables }
}
