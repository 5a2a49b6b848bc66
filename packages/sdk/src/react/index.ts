'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { Approval } from '../realtime/approvals.js'
import type { ToolCalls } from '../realtime/tool-calls.js'
import type { Transcript } from '../realtime/transcript.js'
import type { Levels } from '../realtime/voice-audio.js'
import { firstState, type VoiceState } from '../realtime/voice-state.js'
import { useBinding } from './parley-provider.js'
import { idleStatus, silence, type VoiceBinding, type VoiceStatus } from './voice-binding.js'

export { ParleyProvider, type ParleyProviderProps } from './parley-provider.js'
export type { VoiceStatus } from './voice-binding.js'

/** The state of the voice and its functions. `start` must be called in a click handler. */
export type VoiceControls = VoiceStatus & Pick<VoiceBinding, 'start' | 'close' | 'sendText' | 'mute'>

export function useVoice(): VoiceControls {
  const binding = useBinding()
  const status = useSyncExternalStore(binding.subscribe, binding.getStatus, getIdleStatus)
  return useMemo(() => {
    const { start, close, sendText, mute } = binding
    return { ...status, start, close, sendText, mute }
  }, [binding, status])
}

/** The transcript so far. It stays after the end, until the next start. */
export function useTranscript(): Transcript {
  return useSelected(selectTranscript)
}

/** The calls that wait for a decision. */
export function useApprovals(): readonly Approval[] {
  return useSelected(selectApprovals)
}

export function useCalls(): ToolCalls {
  return useSelected(selectCalls)
}

/** The loudness of both sides, about 25 times a second. Use it in a separate component. */
export function useLevel(): Levels {
  const binding = useBinding()
  return useSyncExternalStore(binding.subscribeLevels, binding.getLevels, getSilence)
}

function useSelected<Part>(select: (state: VoiceState) => Part): Part {
  const binding = useBinding()
  return useSyncExternalStore(
    binding.subscribe,
    () => select(binding.getState()),
    () => select(firstState),
  )
}

const selectTranscript = ({ transcript }: VoiceState) => transcript
const selectApprovals = ({ approvals }: VoiceState) => approvals
const selectCalls = ({ calls }: VoiceState) => calls
const getIdleStatus = () => idleStatus
const getSilence = () => silence
