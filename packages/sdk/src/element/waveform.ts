const svgNamespace = 'http://www.w3.org/2000/svg'
const barCount = 24
const barWidth = 4
const height = 24
const stepMilliseconds = 60
/** The level above which audio counts as speech. */
const voiceLevel = 0.03

/** Recent loudness, the newest value on the right. With reduced motion: one static shape for quiet and one for loud. */
export class Waveform {
  readonly element = document.createElementNS(svgNamespace, 'svg')
  readonly #path = document.createElementNS(svgNamespace, 'path')
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
  #levels: readonly number[] = quiet
  #peak = 0
  #steppedAt = 0

  constructor() {
    this.element.setAttribute('viewBox', `0 0 ${barCount * barWidth} ${height}`)
    this.element.setAttribute('part', 'waveform')
    this.element.setAttribute('aria-hidden', 'true')
    this.element.append(this.#path)
    this.#draw()
  }

  show(level: number): void {
    this.#peak = Math.max(this.#peak, level)
    const now = performance.now()
    if (now - this.#steppedAt < stepMilliseconds) return
    this.#steppedAt = now
    this.#levels = this.#reducedMotion.matches
      ? stillLevels(this.#peak)
      : [...this.#levels.slice(1), this.#peak]
    this.#peak = 0
    this.#draw()
  }

  clear(): void {
    this.#levels = quiet
    this.#draw()
  }

  #draw(): void {
    const bars = this.#levels.map((level, place) => {
      const reach = 1 + Math.sqrt(level) * (height / 2 - 2)
      return `M${(place + 0.5) * barWidth} ${(height / 2 - reach).toFixed(1)}v${(2 * reach).toFixed(1)}`
    })
    this.#path.setAttribute('d', bars.join(''))
  }
}

const quiet: readonly number[] = Array.from({ length: barCount }, () => 0)
const talking: readonly number[] = quiet.map((_, place) => (place % 3) / 4)

function stillLevels(level: number): readonly number[] {
  return level > voiceLevel ? talking : quiet
}
