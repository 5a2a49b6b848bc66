import type { ChatCall, ChatMessage } from '../../ports/chat-model.js'

export interface AnsweredCall {
  readonly call: ChatCall
  readonly output: string
}

/**
 * Returns the calls of one step, all at once and in their order. A model may repeat an id: what has one id is one
 * call, runs once, and its output is everybody's.
 */
export function answerCalls(
  calls: readonly ChatCall[],
  callTool: (call: ChatCall) => Promise<string>,
): Promise<readonly AnsweredCall[]> {
  const outputs = new Map<string, Promise<string>>()
  for (const call of calls) if (!outputs.has(call.callId)) outputs.set(call.callId, callTool(call))
  return Promise.all(calls.map(async (call) => ({ call, output: (await outputs.get(call.callId)) ?? '' })))
}

/** The conversation as the next step sees it: what the model said and called, then one output for each call. */
export function messagesAfter(
  messages: readonly ChatMessage[],
  text: string,
  answered: readonly AnsweredCall[],
): readonly ChatMessage[] {
  return [
    ...messages,
    { role: 'assistant', text, calls: answered.map(({ call }) => call) },
    ...answered.map(
      ({ call, output }): ChatMessage => ({ role: 'tool', callId: call.callId, name: call.name, output }),
    ),
  ]
}
