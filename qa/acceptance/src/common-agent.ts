import { ApiError, type QuestionAnswer, type QuestionInput } from '@parley/sdk'
import { Skipped } from './skipped.js'
import type { Visit } from './visit.js'

/** This prompt makes any model call its only tool. */
export const timeQuestion = 'What time is it?'

/** The agent for text turns and sessions. Its tool has no effect and requires approval. */
export function sharedAgent({ run, parley }: Visit): Promise<string> {
  return run.once('agent', async () => {
    const connectionId =
      run.options.connectionId ?? (await findEngine(run.held.ok && run.held.scopes.has('connection:read')))
    const agent = await parley.agents.create({
      name: `${run.name} agent`,
      systemMessage:
        'You are talked to by a test of this service. Answer in one short sentence. ' +
        'Never guess the time: use the tool current_time whenever you are asked for it.',
      connectionId,
      tools: [{ kind: 'builtin', name: 'current_time', builtin: 'current_time', approvalRequired: true }],
    })
    return agent.id
  })

  /** The built-in engine costs nothing. */
  async function findEngine(mayRead: boolean): Promise<string | null> {
    if (!mayRead) return null
    const { items } = await parley.connections.list({ Limit: 200 })
    const engines = items.filter(
      ({ kind, governanceDisabled, realtimeEnabled }) =>
        kind === 'embedded' && realtimeEnabled && !governanceDisabled,
    )
    return (engines.find(({ chatConnectionId }) => chatConnectionId === null) ?? engines[0])?.id ?? null
  }
}

/** Returns an answer. Skips the check if the deployment has no text model. */
export async function ask(
  visit: Visit,
  input: QuestionInput,
  options: { readonly idempotencyKey?: string } = {},
): Promise<QuestionAnswer> {
  return visit.parley.questions.ask(await sharedAgent(visit), input, options).catch(skipWithoutModel)
}

export function skipWithoutModel(error: unknown): never {
  if (error instanceof ApiError && error.status === 409)
    throw new Skipped(`no text model: ${error.message} (--connection names another connection)`)
  throw error
}
