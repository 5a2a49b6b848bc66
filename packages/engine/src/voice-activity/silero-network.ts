import { contextSamples, frameSamples, stateSize } from './voice-activity.js'

/*
 * The detector's network (Silero, 16 kHz), written out. In a general runtime (onnxruntime-web 1.22) the same numbers take
 * 2.3 s of computing to load, instead of 0.1 s, and 2.3 s for the first seven seconds of speech, instead of 0.4 s.
 *
 *   window ──spectrum──► 4 x 129 ──conv──► 4 x 128 ──conv──► 2 x 64 ──conv──► 1 x 64 ──conv──► 128 ──lstm──► 128 ──► p
 */
const windowSamples = contextSamples + frameSamples
/** How much is mirrored at the end, so that the last slice of the spectrum is whole. */
const mirroredSamples = 64
const sliceSamples = 256
const hopSamples = 128
const bins = 129
const slices = (windowSamples + mirroredSamples - sliceSamples) / hopSamples + 1
const taps = 3
const width = stateSize / 2

export interface DetectorStep {
  readonly probability: number
  readonly state: Float32Array
}

export type SileroNetwork = (window: Float32Array, state: Float32Array) => DetectorStep

/** `weights`: the numbers of that name, and how many there must be. */
export function makeSileroNetwork(weights: (name: string, count: number) => Float32Array): SileroNetwork {
  const waves = halve(weights('stft.forward_basis_buffer', 2 * bins * sliceSamples))
  const convolution = (layer: number, shape: Pick<Convolution, 'from' | 'to' | 'stride'>): Convolution => ({
    ...shape,
    taps: splitTaps(weights(`encoder.${layer}.reparam_conv.weight`, shape.to * shape.from * taps)),
    bias: weights(`encoder.${layer}.reparam_conv.bias`, shape.to),
  })
  const layers = [
    convolution(0, { from: bins, to: 128, stride: 1 }),
    convolution(1, { from: 128, to: 64, stride: 2 }),
    convolution(2, { from: 64, to: 64, stride: 2 }),
    convolution(3, { from: 64, to: width, stride: 1 }),
  ]
  const memory: MemoryCell = {
    inputWeights: weights('decoder.rnn.weight_ih', 4 * width * width),
    stateWeights: weights('decoder.rnn.weight_hh', 4 * width * width),
    inputBias: weights('decoder.rnn.bias_ih', 4 * width),
    stateBias: weights('decoder.rnn.bias_hh', 4 * width),
  }
  const outputWeights = weights('decoder.decoder.2.weight', width)
  const [outputBias = 0] = weights('decoder.decoder.2.bias', 1)
  return (window, state) => {
    const encoded = layers.reduce(convolve, spectrum(waves, window))
    const next = remember(memory, encoded, state)
    let sum = outputBias
    for (const [index, weight] of outputWeights.entries()) sum += weight * Math.max(0, next[index] ?? 0)
    return { probability: sigmoid(sum), state: next }
  }
}

/** A row for each frequency. */
interface Waves {
  readonly cosines: Float32Array
  readonly sines: Float32Array
}

const halfSlice = sliceSamples / 2

/**
 * The waves of the file lie in a window that begins with nothing, and their second half is the first one mirrored, that of
 * the sines with its sign turned: the first half is enough, for half the sums.
 */
function halve(basis: Float32Array): Waves {
  const halves = basis.filter((_, index) => {
    const sample = index % sliceSamples
    return sample > 0 && sample <= halfSlice
  })
  return { cosines: halves.slice(0, bins * halfSlice), sines: halves.slice(bins * halfSlice) }
}

/** How strong each frequency is in each slice, one slice after the other. */
function spectrum({ cosines, sines }: Waves, window: Float32Array): Float32Array {
  const sound = new Float32Array(windowSamples + mirroredSamples)
  sound.set(window)
  // The last sample is the mirror, and is not repeated.
  sound.set(window.slice(-1 - mirroredSamples, -1).reverse(), windowSamples)
  const strengths = new Float32Array(slices * bins)
  for (let slice = 0; slice < slices; slice += 1) {
    const first = sound.subarray(slice * hopSamples + 1, slice * hopSamples + 1 + halfSlice)
    const mirrored = sound.slice(slice * hopSamples + halfSlice, slice * hopSamples + sliceSamples).reverse()
    // The sample in the middle is its own mirror.
    mirrored[halfSlice - 1] = 0
    const real = new Float32Array(bins)
    const imaginary = new Float32Array(bins)
    addProduct(
      cosines,
      first.map((value, index) => value + (mirrored[index] ?? 0)),
      real,
    )
    addProduct(
      sines,
      first.map((value, index) => value - (mirrored[index] ?? 0)),
      imaginary,
    )
    for (let bin = 0; bin < bins; bin += 1)
      strengths[slice * bins + bin] = Math.sqrt((real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2)
  }
  return strengths
}

interface Convolution {
  readonly from: number
  readonly to: number
  readonly stride: number
  /** A matrix for each. */
  readonly taps: readonly Float32Array[]
  readonly bias: Float32Array
}

/** The file has the taps of each number together. */
function splitTaps(weights: Float32Array): Float32Array[] {
  return Array.from({ length: taps }, (_, tap) => weights.filter((_weight, index) => index % taps === tap))
}

/** Over time, with nothing before the first and after the last; what is negative becomes nothing. */
function convolve(input: Float32Array, { from, to, stride, taps, bias }: Convolution): Float32Array {
  const inputTimes = input.length / from
  const times = Math.ceil(inputTimes / stride)
  const output = new Float32Array(times * to)
  for (let time = 0; time < times; time += 1) {
    const sums = output.subarray(time * to, (time + 1) * to)
    sums.set(bias)
    for (const [tap, matrix] of taps.entries()) {
      const at = time * stride + tap - 1
      if (at >= 0 && at < inputTimes) addProduct(matrix, input.subarray(at * from, (at + 1) * from), sums)
    }
  }
  return output.map((value) => Math.max(0, value))
}

/** A long short-term memory: the gates lie one after the other, as input, forget, candidate and output. */
interface MemoryCell {
  readonly inputWeights: Float32Array
  readonly stateWeights: Float32Array
  readonly inputBias: Float32Array
  readonly stateBias: Float32Array
}

/** A state is what was given out last, and behind it what is remembered. */
function remember(cell: MemoryCell, input: Float32Array, state: Float32Array): Float32Array {
  const gates = cell.inputBias.map((bias, gate) => bias + (cell.stateBias[gate] ?? 0))
  addProduct(cell.inputWeights, input, gates)
  addProduct(cell.stateWeights, state.subarray(0, width), gates)
  const gate = (kind: number, index: number) => gates[kind * width + index] ?? 0
  const next = new Float32Array(stateSize)
  for (let index = 0; index < width; index += 1) {
    const kept = sigmoid(gate(1, index)) * (state[width + index] ?? 0)
    const remembered = kept + sigmoid(gate(0, index)) * Math.tanh(gate(2, index))
    next[width + index] = remembered
    next[index] = sigmoid(gate(3, index)) * Math.tanh(remembered)
  }
  return next
}

/** Adds a matrix, a row for each sum, times a vector. Four rows at once, so that no addition waits for the last. */
function addProduct(matrix: Float32Array, vector: Float32Array, sums: Float32Array): void {
  const length = vector.length
  let row = 0
  for (; row + 3 < sums.length; row += 4) {
    const a = row * length
    const b = a + length
    const c = b + length
    const d = c + length
    let sumA = 0
    let sumB = 0
    let sumC = 0
    let sumD = 0
    for (let index = 0; index < length; index += 1) {
      const value = vector[index] ?? 0
      sumA += (matrix[a + index] ?? 0) * value
      sumB += (matrix[b + index] ?? 0) * value
      sumC += (matrix[c + index] ?? 0) * value
      sumD += (matrix[d + index] ?? 0) * value
    }
    sums[row] = (sums[row] ?? 0) + sumA
    sums[row + 1] = (sums[row + 1] ?? 0) + sumB
    sums[row + 2] = (sums[row + 2] ?? 0) + sumC
    sums[row + 3] = (sums[row + 3] ?? 0) + sumD
  }
  for (; row < sums.length; row += 1) {
    let sum = sums[row] ?? 0
    for (let index = 0; index < length; index += 1)
      sum += (matrix[row * length + index] ?? 0) * (vector[index] ?? 0)
    sums[row] = sum
  }
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
