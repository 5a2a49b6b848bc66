import { Button, Tooltip } from '@mantine/core'
import { IconPlayerStop, IconVolume } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useConsole } from '../../data/console-context'
import { showError } from '../../parts/show-error'

interface VoicePreviewProps {
  readonly agentId: string
  readonly voice: string | null
}

type Phase = 'silent' | 'connecting' | 'speaking'

const labels: Readonly<Record<Phase, string>> = {
  silent: 'Preview voice',
  connecting: 'Connecting',
  speaking: 'Stop',
}

/** Lets the saved agent say one sentence. */
export function VoicePreview({ agentId, voice }: VoicePreviewProps) {
  const { parley, may } = useConsole()
  const [phase, setPhase] = useState<Phase>('silent')
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const play = async () => {
    const controller = new AbortController()
    running.current = controller
    setPhase('connecting')
    try {
      const { playGreeting } = await import('./play-greeting')
      const mayTidyUp = may('conversation:write')
      const onSpeaking = () => setPhase('speaking')
      await playGreeting({ parley, agentId, voice, mayTidyUp, signal: controller.signal, onSpeaking })
    } catch (error) {
      showError(error, 'Voice preview failed')
    }
    running.current = null
    setPhase('silent')
  }
  return (
    <Tooltip label="Plays one sentence of the saved agent in the selected voice." multiline w={260}>
      <Button
        variant="default"
        leftSection={phase === 'silent' ? <IconVolume size={16} /> : <IconPlayerStop size={16} />}
        onClick={() => (running.current === null ? void play() : running.current.abort())}
        aria-label={phase === 'silent' ? 'Preview voice' : `${labels[phase]}, click to stop`}
        miw="8rem"
      >
        <span aria-live="polite">{labels[phase]}</span>
      </Button>
    </Tooltip>
  )
}
