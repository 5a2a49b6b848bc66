export interface MicrophoneOptions {
  readonly deviceId?: string
  /** In addition to echo cancellation, noise suppression and gain control. */
  readonly constraints?: MediaTrackConstraints
}

export interface AudioOptions {
  /** Default: the user's microphone. False: typing only. A stream: used instead of a microphone. */
  readonly microphone?: boolean | MicrophoneOptions | MediaStream
  /** False: answers are not played. `audio` events carry them in any case. */
  readonly speaker?: boolean
  /**
   * The address of `audio.worklet.js`. Without it the worklet is loaded from a Blob, which a content security policy must
   * allow (`script-src blob:`).
   */
  readonly workletUrl?: string
}
