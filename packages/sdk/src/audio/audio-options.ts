export interface MicrophoneOptions {
  readonly deviceId?: string
  /** In addition to echo cancellation, noise suppression and gain control. */
  readonly constraints?: MediaTrackConstraints
}

export interface AudioOptions {
  /** Default: the user's microphone. `false` means typing only. A stream replaces the microphone. */
  readonly microphone?: boolean | MicrophoneOptions | MediaStream
  /** If `false`, responses are not played. `audio` events are sent in any case. */
  readonly speaker?: boolean
  /**
   * The URL of `audio.worklet.js`. Without it the worklet is loaded from a Blob, which a content security policy must
   * allow (`script-src blob:`).
   */
  readonly workletUrl?: string
}
