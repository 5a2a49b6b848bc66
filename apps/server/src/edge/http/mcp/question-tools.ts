import { type QuestionAnswer, QuestionInput, subAgentToolName } from '@parley/contract'
import { z } from 'zod'
import type { Caller } from '../../../domain/caller-scope.js'
import { DomainError } from '../../../domain/domain-error.js'
import { askQuestion } from '../../../domain/turns/ask-question.js'
import { awaitAnswer } from '../../../domain/turns/follow-turn.js'
import { findTurn } from '../../../domain/turns/turns.js'
import type { TurnRecord } from '../../../ports/conversation-stores.js'
import type { Services } from '../services.js'
import {
  defineMcpTool,
  type McpTool,
  type McpToolCall,
  makeCallerStores,
  onlyReads,
  setsToWork,
} from './mcp-tool.js'

/** Clients give up after a minute, unless they are told otherwise. */
const maxWaitSeconds = 50
const usualWaitSeconds = 40
/** How many agents of an organization can be tools of their own. */
const maxAgentTools = 100

const { question, conversationId } = QuestionInput.shape

const waitSeconds = z
  .int()
  .min(0)
  .max(maxWaitSeconds)
  .default(usualWaitSeconds)
  .describe('How long to wait for the answer. One that takes longer is fetched with get_answer.')

const askFields = {
  question: question.describe('What the agent is asked, in full.'),
  conversationId: conversationId.describe(
    'The conversation that the question belongs to; left out or null: a new one.',
  ),
  waitSeconds,
}

/** Asking agents, and what came of it. */
export function makeQuestionTools(services: Services): QuestionTools {
  const { database, questions } = services
  const stores = makeCallerStores(database)

  async function ask(agentId: string, asked: z.output<typeof AskInput>, call: McpToolCall): Promise<object> {
    if (services.isDraining())
      throw new DomainError('Unavailable', 'This instance is shutting down. Ask again.')
    const { caller } = call
    const input = QuestionInput.parse({ question: asked.question, conversationId: asked.conversationId })
    const { committed: turn } = await askQuestion(
      questions,
      { caller, agentId, input, idempotencyKey: null },
      (store) => stores.write(caller, (scope) => store(scope.stores)),
    )
    return waitFor(turn, asked.waitSeconds, call)
  }

  async function waitFor(turn: TurnRecord, seconds: number, { left }: McpToolCall): Promise<object> {
    const late = new AbortController()
    const cancel = questions.timers.after(seconds * 1000, () => late.abort())
    try {
      return shown(await awaitAnswer(questions, turn, AbortSignal.any([left, late.signal])))
    } finally {
      cancel()
    }
  }

  return {
    fixed: [
      defineMcpTool({
        name: 'ask_agent',
        title: 'Ask an agent',
        description:
          'Asks one of the agents that list_agents shows and gives back the answer. Questions of one conversation follow one another; without conversationId a new one begins. Where the answer takes long, the result has status queued, running or waiting_for_approval: get_answer fetches it.',
        annotations: setsToWork,
        scope: 'question:ask',
        input: AskAgentInput,
        run: ({ agentId, ...asked }, call) => ask(agentId, asked, call),
      }),
      defineMcpTool({
        name: 'get_answer',
        title: 'Get an answer',
        description:
          'Gives back the answer to a question that took longer than its asker waited, or says how far it is. waiting_for_approval: a person has to decide on a call of the agent first.',
        annotations: onlyReads,
        scope: 'question:ask',
        input: z.strictObject({
          conversationId: z.uuid().toLowerCase().describe('The conversation, as ask_agent has named it.'),
          turnId: z.uuid().toLowerCase().describe('The turn, as ask_agent has named it.'),
          waitSeconds,
        }),
        async run({ waitSeconds: seconds, ...named }, call) {
          const turn = await stores.read(call.caller, (scope) => findTurn(scope, named))
          return waitFor(turn, seconds, call)
        },
      }),
    ],

    async ofAgents(caller, taken) {
      const page = { offset: 0, limit: maxAgentTools }
      const { items } = await stores.read(caller, (scope) =>
        scope.stores.agents.list(caller.organizationId, { mcpTool: true }, page),
      )
      const names = new Set(taken)
      // The oldest first, so that a name does not go over to a newer agent.
      return items.toReversed().map(({ id, name, description }) => {
        const toolName = freeName(subAgentToolName(name), id, names)
        names.add(toolName)
        return defineMcpTool({
          name: toolName,
          title: name,
          description: `Asks the agent ${name} and gives back the answer. ${description ?? ''}`.trim(),
          annotations: setsToWork,
          scope: 'question:ask',
          input: AskInput,
          run: (asked, call) => ask(id, asked, call),
        })
      })
    },
  }
}

export interface QuestionTools {
  readonly fixed: readonly McpTool[]
  /** Those that the organization has made tools of their own, under names that are not taken. */
  ofAgents(caller: Caller, taken: readonly string[]): Promise<readonly McpTool[]>
}

const AskInput = z.strictObject(askFields)

const AskAgentInput = z.strictObject({
  agentId: z.uuid().toLowerCase().describe('The id of the agent, as list_agents shows it.'),
  ...askFields,
})

/** Two agents may have one name. */
function freeName(name: string, id: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? `${name.slice(0, 55)}_${id.slice(-8)}` : name
}

/** What a model needs of an answer: the words, and how to go on. */
function shown({ answer, status, failure, conversationId, turnId, approvals }: QuestionAnswer): object {
  return {
    status,
    answer,
    ...(failure !== null && { failure }),
    conversationId,
    turnId,
    ...(approvals.length > 0 && { approvals }),
    ...(isUnfinished(status) && {
      next: 'The answer is not there yet. Call get_answer with this conversationId and turnId.',
    }),
  }
}

const isUnfinished = (status: QuestionAnswer['status']) =>
  status === 'queued' || status === 'running' || status === 'waiting_for_approval'
