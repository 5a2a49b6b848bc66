import { ActionIcon, Alert, Button, Loader, Text, Tooltip } from '@mantine/core'
import type { Voice, VoiceState } from '@parley/sdk/realtime'
import {
  IconHandStop,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Conversation } from './conversation'
import { endAdvice, phaseLabel } from './phase-label'
import styles from './talk-bar.module.css'
import { Waveform } from './waveform'

interface TalkBarProps {
  readonly voice: Voice
  readonly conversation: Conversation
  /** Whether the built-in voice is used. It loads its models on first use. */
  readonly isBuiltIn: boolean
}

/** The active voice session: state, levels and the end button. */
export function TalkBar({ voice, conversation, isBuiltIn }: TalkBarProps) {
  const state = useSyncExternalStore(voice.subscribe, voice.getState)
  if (state.end !== null)
    return (
      <Alert
        variant="default"
        icon={<IconPlugConnectedX size={18} />}
        title={state.end.message}
        withCloseButton
        onClose={() => conversation.dismissVoice()}
        role="status"
      >
        {endAdvice(state.end)}
      </Alert>
    )
  return (
    <section className={styles.bar} aria-label="Voice session">
      <div className={styles.words} role="status">
        <Text size="sm" fw={600}>
          {phaseLabel(state)}
        </Text>
        <Detail state={state} isBuiltIn={isBuiltIn} />
      </div>
      {state.phase === 'connecting' || state.phase === 'reconnecting' ? (
        <Loader size="sm" type="dots" ml="auto" aria-hidden />
      ) : (
        <Waveform voice={voice} />
      )}
      <TalkButtons voice={voice} state={state} />
    </section>
  )
}

function TalkButtons({ voice, state }: { readonly voice: Voice; readonly state: VoiceState }) {
  const isMuted = state.media.microphone === 'muted'
  const isBusy = state.phase === 'speaking' || state.phase === 'thinking'
  return (
    <>
      <Tooltip label="Interrupt the agent">
        <ActionIcon
          variant="default"
          size="lg"
          disabled={!isBusy}
          onClick={() => void voice.interrupt()}
          aria-label="Interrupt"
        >
          <IconHandStop size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={isMuted ? 'Unmute' : 'Mute'}>
        <ActionIcon
          variant={isMuted ? 'filled' : 'default'}
          color={isMuted ? 'orange' : 'gray'}
          size="lg"
          onClick={() => voice.mute(!isMuted)}
          aria-label="Mute"
          aria-pressed={isMuted}
        >
          {isMuted ? <IconMicrophoneOff size={18} /> : <IconMicrophone size={18} />}
        </ActionIcon>
      </Tooltip>
      <Button
        variant="light"
        color="red"
        px="sm"
        leftSection={<IconPhoneOff size={16} />}
        onClick={() => void voice.close()}
        visibleFrom="xs"
      >
        End
      </Button>
      <ActionIcon
        variant="light"
        color="red"
        size="lg"
        onClick={() => void voice.close()}
        hiddenFrom="xs"
        aria-label="End"
      >
        <IconPhoneOff size={18} />
      </ActionIcon>
    </>
  )
}

/** The delay before a hint about slow progress is shown. */
const patienceMilliseconds = 3000

function Detail({ state, isBuiltIn }: { readonly state: VoiceState; readonly isBuiltIn: boolean }) {
  const { phase } = state
  const [longPhase, setLongPhase] = useState<VoiceState['phase'] | null>(null)
  useEffect(() => {
    setLongPhase(null)
    const timer = setTimeout(() => setLongPhase(phase), patienceMilliseconds)
    return () => clearTimeout(timer)
  }, [phase])
  const detail = detailOf(state, longPhase === phase, isBuiltIn)
  if (detail === null) return null
  return (
    <Text size="xs" c="dimmed">
      {detail}
    </Text>
  )
}

function detailOf({ phase, media, approvals }: VoiceState, isLong: boolean, isBuiltIn: boolean) {
  if (approvals.length > 0) return 'A tool call needs approval'
  // The models load on first use, in three steps.
  if (isLong && isBuiltIn && (phase === 'connecting' || phase === 'thinking'))
    return 'Loading the built-in voice. The first time takes longest.'
  if (isLong && phase === 'connecting') return 'Waiting for the model'
  if (phase === 'connecting' || phase === 'reconnecting') return null
  if (!media.isAudible) return 'Click the page to enable sound'
  return media.isEchoCancelled === false ? 'No echo cancellation. Use headphones.' : null
}
