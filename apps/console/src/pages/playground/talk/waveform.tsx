import { useReducedMotion } from '@mantine/hooks'
import type { Voice } from '@parley/sdk/realtime'
import { useEffect, useRef } from 'react'
import styles from './talk-bar.module.css'

const barWidth = 4
const stepMilliseconds = 60
/** The level above which audio counts as speech. */
const voiceLevel = 0.03

type Sides = readonly [input: number, output: number]

/** The recent levels of both sides, newest at the right: user above, agent below. */
export function Waveform({ voice }: { readonly voice: Voice }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isStill = useReducedMotion()
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const history: Sides[] = []
    let peak: Sides = [0, 0]
    let steppedAt = 0
    let frame = 0
    const unsubscribe = voice.on('levels', ({ input, output }) => {
      const inputLevel = voice.getState().media.microphone === 'on' ? input : 0
      peak = [Math.max(peak[0], inputLevel), Math.max(peak[1], output)]
    })
    const step = (now: number) => {
      frame = requestAnimationFrame(step)
      if (now - steppedAt < (isStill ? 500 : stepMilliseconds)) return
      steppedAt = now
      history.push(peak)
      history.splice(0, history.length - Math.ceil(element.clientWidth / barWidth))
      draw(element, context, isStill ? stillFigure(element, peak) : history)
      peak = [0, 0]
    }
    frame = requestAnimationFrame(step)
    return () => {
      cancelAnimationFrame(frame)
      unsubscribe()
    }
  }, [voice, isStill])
  return <canvas ref={canvas} className={styles.waveform} role="img" aria-label="Audio levels" />
}

/** With reduced motion: one static figure for speech, one for silence. */
function stillFigure(element: HTMLCanvasElement, [input, output]: Sides): readonly Sides[] {
  const level = (side: number, index: number) => (side > voiceLevel ? (index % 3) / 4 : 0)
  const count = Math.ceil(element.clientWidth / barWidth)
  return Array.from({ length: count }, (_, index) => [level(input, index), level(output, index)])
}

function draw(
  element: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  history: readonly Sides[],
): void {
  const { clientWidth: width, clientHeight: height } = element
  const scale = devicePixelRatio
  if (element.width !== width * scale) element.width = width * scale
  if (element.height !== height * scale) element.height = height * scale
  const { color: person, caretColor: agent } = getComputedStyle(element)
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.clearRect(0, 0, width, height)
  for (const [index, [input, output]] of history.entries()) {
    const x = width - (history.length - index) * barWidth
    bar(context, person, x, height / 2, -reach(input, height))
    bar(context, agent, x, height / 2, reach(output, height))
  }
}

function reach(level: number, height: number): number {
  return 1 + Math.sqrt(Math.min(1, level)) * (height / 2 - 2)
}

function bar(context: CanvasRenderingContext2D, color: string, x: number, y: number, length: number): void {
  context.fillStyle = color
  context.fillRect(x, Math.min(y, y + length), barWidth - 1, Math.abs(length))
}
