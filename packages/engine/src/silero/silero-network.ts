import { contextSamples, frameSamples, stateSize } from '../voice-activity/voice-activity.js'

/*
 * Silero voice activity detection, version 6, for 16 kHz, written in plain JavaScript.
 *
 * The weights come from the ONNX file of @ricky0123/vad-web (`onnx-constants`). `silero.ts` runs the network over frames of
 * 32 ms, in the worker thread that all sessions share. `silero.speech.test.ts` compares the probabilities with those of
 * onnxruntime-web.
 *
 * Why not a runtime: On 7 s of speech, onnxruntime-web takes 1.5 s of CPU and 247 MB to load. This network takes 84 ms and
 * 12 MB. The native onnxruntime-node is four times as fast but adds 288 MB to the install. The detector of sherpa-onnx returns no
 * probabilities, which the thresholds of `server_vad` need.
 *
 *   window ──spectrum──► 4 x 129 ──conv──► 4 x 128 ──conv──► 2 x 64 ──conv──► 1 x 64 ──conv──► 128 ──lstm──► 128 ──► p
 */
const windowSamples = contextSamples + frameSamples
/** Samples that are mirrored at the end to fill the last slice of the spectrum. */
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

/** `weights` returns the weights of a name and throws if their count differs. */
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
  const cell: LstmCell = {
    inputWeights: weights('decoder.rnn.weight_ih', 4 * width * width),
    stateWeights: weights('decoder.rnn.weight_hh', 4 * width * width),
    inputBias: weights('decoder.rnn.bias_ih', 4 * width),
    stateBias: weights('decoder.rnn.bias_hh', 4 * width),
  }
  const outputWeights = weights('decoder.decoder.2.weight', width)
  const [outputBias = 0] = weights('decoder.decoder.2.bias', 1)
  return (window, state) => {
    const encoded = layers.reduce(convolve, spectrum(waves, window))
    const next = lstmStep(cell, encoded, state)
    let sum = outputBias
    for (const [index, weight] of outputWeights.entries()) sum += weight * Math.max(0, next[index] ?? 0)
    return { probability: sigmoid(sum), state: next }
  }
}

/** The basis of the Fourier transform, one row for each frequency. */
interface Waves {
  readonly cosines: Float32Array
  readonly sines: Float32Array
}

const halfSlice = sliceSamples / 2

/**
 * Keeps the first half of each row. The window function starts at zero, and the second half of a row mirrors the first, with
 * the opposite sign for sines. This halves the multiplications.
 */
function halve(basis: Float32Array): Waves {
  const halves = basis.filter((_, index) => {
    const sample = index % sliceSamples
    return sample > 0 && sample <= halfSlice
  })
  return { cosines: halves.slice(0, bins * halfSlice), sines: halves.slice(bins * halfSlice) }
}

/** Returns the magnitude of each frequency, slice by slice. */
function spectrum({ cosines, sines }: Waves, window: Float32Array): Float32Array {
  const sound = new Float32Array(windowSamples + mirroredSamples)
  sound.set(window)
  // Reflection padding does not repeat the last sample.
  sound.set(window.slice(-1 - mirroredSamples, -1).reverse(), windowSamples)
  const strengths = new Float32Array(slices * bins)
  for (let slice = 0; slice < slices; slice += 1) {
    const first = sound.subarray(slice * hopSamples + 1, slice * hopSamples + 1 + halfSlice)
    const mirrored = sound.slice(slice * hopSamples + halfSlice, slice * hopSamples + sliceSamples).reverse()
    // The middle sample is its own mirror image.
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
  /** One matrix for each tap. */
  readonly taps: readonly Float32Array[]
  readonly bias: Float32Array
}

/** Splits weights that interleave the taps. */
function splitTaps(weights: Float32Array): Float32Array[] {
  return Array.from({ length: taps }, (_, tap) => weights.filter((_weight, index) => index % taps === tap))
}

/** One-dimensional convolution with zero padding, followed by ReLU. */
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

/** An LSTM cell. The gates are stored in the order input, forget, candidate, output. */
interface LstmCell {
  readonly inputWeights: Float32Array
  readonly stateWeights: Float32Array
  readonly inputBias: Float32Array
  readonly stateBias: Float32Array
}

/** Returns the next LSTM state: the hidden state, followed by the cell state. */
function lstmStep(cell: LstmCell, input: Float32Array, state: Float32Array): Float32Array {
  const gates = cell.inputBias.map((bias, gate) => bias + (cell.stateBias[gate] ?? 0))
  addProduct(cell.inputWeights, input, gates)
  addProduct(cell.stateWeights, state.subarray(0, width), gates)
  const gate = (kind: number, index: number) => gates[kind * width + index] ?? 0
  const next = new Float32Array(stateSize)
  for (let index = 0; index < width; index += 1) {
    const kept = sigmoid(gate(1, index)) * (state[width + index] ?? 0)
    const cellState = kept + sigmoid(gate(0, index)) * Math.tanh(gate(2, index))
    next[width + index] = cellState
    next[index] = sigmoid(gate(3, index)) * Math.tanh(cellState)
  }
  return next
}

/** Adds the product of a matrix and a vector to `sums`. Four rows at once keep the additions independent. */
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
