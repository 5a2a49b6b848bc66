import { endUserFields, type QuestionAnswer, QuestionInput, subAgentToolName } from '@parley/contract'
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
  readOnly,
  startsAgents,
} from './mcp-tool.js'

/** The maximum wait is shorter than a minute, because many clients time out after that. */
const maxWaitSeconds = 50
const usualWaitSeconds = 40
/** The maximum number of an organization's agents that are separate tools. */
const maxAgentTools = 100

const { question, conversationId } = QuestionInput.shape

const waitSeconds = z
  .int()
  .min(0)
  .max(maxWaitSeconds)
  .default(usualWaitSeconds)
  .describe('How many seconds to wait for the answer. Use get_answer if it takes longer.')

const askFields = {
  question: question.describe('The complete question for the agent.'),
  conversationId: conversationId.describe(
    'The conversation of the question. Omit it to start a new conversation.',
  ),
  ...endUserFields,
  waitSeconds,
}

/** The tools that ask agents and fetch their answers. */
export function makeQuestionTools(services: Services): QuestionTools {
  const { database, questions } = services
  const stores = makeCallerStores(database)

  async function ask(agentId: string, asked: z.output<typeof AskInput>, call: McpToolCall): Promise<object> {
    if (services.isDraining())
      throw new DomainError('Unavailable', 'This instance is shutting down. Try again.')
    const { caller } = call
    const { waitSeconds: _, ...question } = asked
    const input = QuestionInput.parse(question)
    const { committed: turn } = await askQuestion(
      questions,
      { caller, agentId, input, idempotencyKey: null },
      (store) => stores.write(caller, (scope) => store(scope.stores)),
    )
    return waitFor(turn, asked.waitSeconds, call)
  }

  async function waitFor(turn: TurnRecord, seconds: number, { disconnected }: McpToolCall): Promise<object> {
    const late = new AbortController()
    const cancel = questions.timers.after(seconds * 1000, () => late.abort())
    try {
      return shown(await awaitAnswer(questions, turn, AbortSignal.any([disconnected, late.signal])))
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
          'Asks an agent and returns the answer. Use list_agents to find agents. Pass conversationId to continue a conversation. If the answer takes long, the status is queued, running or waiting_for_approval. Then use get_answer.',
        annotations: startsAgents,
        scope: 'question:ask',
        input: AskAgentInput,
        run: ({ agentId, ...asked }, call) => ask(agentId, asked, call),
      }),
      defineMcpTool({
        name: 'get_answer',
        title: 'Get an answer',
        description:
          'Returns the answer to an earlier question, or its status. waiting_for_approval means that a person must decide on a call of the agent first.',
        annotations: readOnly,
        scope: 'question:ask',
        input: z.strictObject({
          conversationId: z.uuid().toLowerCase().describe('The conversationId that ask_agent returned.'),
          turnId: z.uuid().toLowerCase().describe('The turnId that ask_agent returned.'),
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
      // Sorted by age, oldest first, so that a newer agent does not take over the name of an older one.
      return items.toReversed().map(({ id, name, description }) => {
        const toolName = unusedName(subAgentToolName(name), id, names)
        names.add(toolName)
        return defineMcpTool({
          name: toolName,
          title: name,
          description: `Asks the agent ${name} and returns the answer. ${description ?? ''}`.trim(),
          annotations: startsAgents,
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
  /** Returns the agents that the organization has made separate tools, with names that are not taken. */
  ofAgents(caller: Caller, taken: readonly string[]): Promise<readonly McpTool[]>
}

const AskInput = z.strictObject(askFields)

const AskAgentInput = z.strictObject({
  agentId: z.uuid().toLowerCase().describe('The id of the agent, from list_agents.'),
  ...askFields,
})

/** Adds a suffix if another agent has the same name. */
function unusedName(name: string, id: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? `${name.slice(0, 55)}_${id.slice(-8)}` : name
}

/** Returns the parts of an answer that a model needs: the text, and how to continue. */
function shown({ answer, status, failure, conversationId, turnId, approvals }: QuestionAnswer): object {
  return {
    status,
    answer,
    ...(failure !== null && { failure }),
    conversationId,
    turnId,
    ...(approvals.length > 0 && { approvals }),
    ...(isUnfinished(status) && {
      next: 'The answer is not ready yet. Call get_answer with this conversationId and turnId.',
    }),
  }
}

const isUnfinished = (status: QuestionAnswer['status']) =>
  status === 'queued' || status === 'running' || status === 'waiting_for_approval'
