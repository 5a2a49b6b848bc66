import type {
  AgentTest,
  AgentTestResult,
  ApprovalDecision,
  QuestionAnswer,
  QuestionBody,
  TurnEvent,
} from '@parley/contract'

/** A definition of tests and the agent that they belong to. */
export interface TestDefinition {
  readonly definition: string
  readonly agentId: string
  /** The names by which the definition may refer to the agent. Null: any. */
  readonly agentNames: readonly string[] | null
}

/** The tests of a definition, or its mistakes with their places. */
export type ReadTests =
  | { readonly ok: true; readonly tests: readonly ReadTest[] }
  | { readonly ok: false; readonly mistakes: readonly string[] }

export interface ReadTest extends Readonly<AgentTest['tests'][number]> {
  readonly repetitions: number
}

interface Abortable {
  readonly signal: AbortSignal
}

/** The calls that a conversation of a test makes. */
export interface RehearsalService {
  readonly questions: {
    ask(
      agentId: string,
      body: QuestionBody,
      options: Abortable,
    ): Promise<Pick<QuestionAnswer, 'answer' | 'failure' | 'conversationId'>>
    stream(agentId: string, body: QuestionBody, options: Abortable): AsyncIterable<TurnEvent>
    stopTurn(conversationId: string, turnId: string): Promise<unknown>
  }
  readonly approvals: {
    decide(conversationId: string, decision: ApprovalDecision, options: Abortable): Promise<unknown>
  }
  readonly conversations: { delete(conversationId: string): Promise<unknown> }
}

/** A result before it is stored. */
export type FreshResult = Omit<AgentTestResult, 'previousVerdict'>

export interface TestRunOptions {
  readonly definitions: readonly (TestDefinition & { readonly testId: string })[]
  readonly judgeId: string | null
  readonly userId: string | null
  readonly service: RehearsalService
  /** Stops the run. */
  readonly signal: AbortSignal
  /** Called with each result and the position of its test in the definitions. */
  readonly onResult: (position: number, result: FreshResult) => void
}

/** Reads and runs the tests of one agent. */
export interface AgentTestEngine {
  read(definition: TestDefinition): Promise<ReadTests>
  run(options: TestRunOptions): Promise<void>
}
