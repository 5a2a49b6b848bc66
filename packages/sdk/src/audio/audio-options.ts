export interface MicrophoneOptions {
  readonly deviceId?: string
  /** On top of echo cancellation, noise suppression and gain control. */
  readonly constraints?: MediaTrackConstraints
}

export interface AudioOptions {
  /** The person's microphone where left out; false for typing alone; a stream of your own. */
  readonly microphone?: boolean | MicrophoneOptions | MediaStream
  /** False where answers are not to be heard here; `audio` events carry them in any case. */
  readonly speaker?: boolean
  /**
   * Where `audio.worklet.js` is served. Without it the worklet is loaded from a Blob, which a content security policy has to
   * allow (`script-src blob:`).
   */
  readonly workletUrl?: string
}
