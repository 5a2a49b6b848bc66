/** A session or turn event. */
export type PlainEvent = Readonly<Record<string, unknown>>

export interface ToolTime {
  readonly key: string
  readonly title: string
  /** True if the time was spent waiting for an approval and not in the tool. */
  readonly isDecision: boolean
  /** Milliseconds of the page's clock. */
  readonly from: number
  readonly to: number | null
}

/** Latencies of an exchange, measured in the page, in milliseconds of the page's clock. */
export interface Timing {
  /** When the user stopped speaking, or sent the text. */
  readonly startedAt: number
  /** When the service detected the end of speech. Null for text. */
  readonly heardAt: number | null
  readonly firstTokenAt: number | null
  readonly firstAudioAt: number | null
  readonly doneAt: number | null
  readonly tools: readonly ToolTime[]
  /** The answer's entry, the last one if there are several. */
  readonly answerId: string | null
}

export function beginTiming(startedAt: number, heardAt: number | null = null): Timing {
  return {
    startedAt,
    heardAt,
    firstTokenAt: null,
    firstAudioAt: null,
    doneAt: null,
    tools: [],
    answerId: null,
  }
}

const token = /^response\.(?:output_)?(?:audio_transcript|text)\.delta$/
const audio = /^response\.(?:output_)?audio\.delta$/

/** Updates the current exchange from an event. */
export function stepTiming(timing: Timing, event: PlainEvent, now: number): Timing {
  const type = textOf(event.type)
  const data = recordOf(event.data)
  if (token.test(type)) {
    const answerId = textOf(event.item_id) || textOf(data.id)
    return { ...timing, firstTokenAt: timing.firstTokenAt ?? now, answerId: answerId || timing.answerId }
  }
  if (audio.test(type)) return timing.firstAudioAt === null ? { ...timing, firstAudioAt: now } : timing
  switch (type) {
    case 'response.function_invocation.start':
      return beginTool(timing, {
        key: textOf(data.callId),
        title: textOf(data.title),
        isDecision: data.approvalRequired === true,
        from: now,
      })
    case 'subagent.start':
      return beginTool(timing, {
        key: textOf(data.id),
        title: textOf(data.name),
        isDecision: false,
        from: now,
      })
    case 'approval.approved':
      return beginApproved(timing, textOf(data.callId), now)
    case 'response.function_invocation.done':
      return endTool(timing, textOf(data.callId), now)
    case 'subagent.done':
      return endTool(timing, textOf(data.chatbotId), now)
    case 'response.done':
    case 'response.completed':
      return { ...timing, doneAt: now }
    default:
      return timing
  }
}

function beginTool(timing: Timing, tool: Omit<ToolTime, 'to'>): Timing {
  return { ...timing, tools: [...timing.tools, { ...tool, to: null }] }
}

/** From here on, the time counts for the tool. */
function beginApproved(timing: Timing, key: string, now: number): Timing {
  const decision = timing.tools.findLast((tool) => tool.key === key && tool.isDecision)
  if (decision === undefined) return timing
  return beginTool(endTool(timing, key, now), { ...decision, isDecision: false, from: now })
}

function endTool(timing: Timing, key: string, now: number): Timing {
  const index = timing.tools.findLastIndex((tool) => tool.key === key && tool.to === null)
  const tool = timing.tools[index]
  return tool === undefined ? timing : { ...timing, tools: timing.tools.with(index, { ...tool, to: now }) }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function recordOf(value: unknown): PlainEvent {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
