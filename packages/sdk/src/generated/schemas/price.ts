// Generated from the contract by `npm run generate`. Do not edit.

/** The custom and built-in prices of models. */
export interface PriceList {
  /** The currency. */
  currency: 'USD'
  /** The custom prices of the organization. They take precedence over the built-in prices. */
  items: Price[]
  /** When the custom prices were last changed (UTC). `null` if there are none. */
  updatedAt: string | null
  /** The built-in prices. They apply to models without a custom price. */
  defaults: {
    /** The date on which the prices were collected. */
    date: string
    /** The source of the prices. */
    source: string
    /** The built-in prices. */
    items: Price[]
  }
}

/** The custom prices of the organization. They replace all existing custom prices. */
export interface PriceListInput {
  /** The currency. Default: `"USD"`. */
  currency?: 'USD' | undefined
  /** The custom prices of the organization. */
  items: {
    /** The kind of the connections to which the price applies. */
    kind: 'openai' | 'azure-openai' | 'azure-voice-live' | 'xai' | 'qwen' | 'google' | 'openai-compatible' | 'anthropic' | 'embedded'
    /**
     * The name of the model (for Azure, of the deployment), or a prefix followed by `*`. The longest matching
     * name applies.
     */
    model: string
    /**
     * The price applies to responses with more input tokens than this. Use this for models whose price depends
     * on the length of the input. Default: `0`.
     */
    aboveInputTokens?: number | undefined
    /**
     * The prices per million tokens. Default:
     * `{"textInput":null,"textOutput":null,"audioInput":null,"audioOutput":null,"imageInput":null,"cachedTextInput":null,"cachedAudioInput":null,"cachedImageInput":null,"cacheWriteTextInput":null}`.
     */
    perMillion?: {
      /** The price per million text input tokens. `null` if it is unknown. */
      textInput?: number | null | undefined
      /** The price per million text output tokens. `null` if it is unknown. */
      textOutput?: number | null | undefined
      /** The price per million audio input tokens. `null` if it is unknown. */
      audioInput?: number | null | undefined
      /** The price per million audio output tokens. `null` if it is unknown. */
      audioOutput?: number | null | undefined
      /** The price per million image input tokens. `null` if it is unknown. */
      imageInput?: number | null | undefined
      /** The price per million cached text input tokens. If `null`, the price of `textInput` applies. */
      cachedTextInput?: number | null | undefined
      /** The price per million cached audio input tokens. If `null`, the price of `audioInput` applies. */
      cachedAudioInput?: number | null | undefined
      /** The price per million cached image input tokens. If `null`, the price of `imageInput` applies. */
      cachedImageInput?: number | null | undefined
      /**
       * The price per million text input tokens written to a cache. If `null`, the price of `textInput`
       * applies.
       */
      cacheWriteTextInput?: number | null | undefined
    } | undefined
    /** The price per hour of audio that is billed by time. `null` if it is unknown. */
    perHour?: number | null | undefined
    /** When the price takes effect. The cost of earlier usage does not change. */
    validFrom?: string | undefined
  }[]
}

/** The price of a model, valid from a given time. */
export interface Price {
  /** The kind of the connections to which the price applies. */
  kind: 'openai' | 'azure-openai' | 'azure-voice-live' | 'xai' | 'qwen' | 'google' | 'openai-compatible' | 'anthropic' | 'embedded'
  /**
   * The name of the model (for Azure, of the deployment), or a prefix followed by `*`. The longest matching
   * name applies.
   */
  model: string
  /**
   * The price applies to responses with more input tokens than this. Use this for models whose price depends
   * on the length of the input.
   */
  aboveInputTokens: number
  /** The prices per million tokens. */
  perMillion: {
    /** The price per million text input tokens. `null` if it is unknown. */
    textInput: number | null
    /** The price per million text output tokens. `null` if it is unknown. */
    textOutput: number | null
    /** The price per million audio input tokens. `null` if it is unknown. */
    audioInput: number | null
    /** The price per million audio output tokens. `null` if it is unknown. */
    audioOutput: number | null
    /** The price per million image input tokens. `null` if it is unknown. */
    imageInput: number | null
    /** The price per million cached text input tokens. If `null`, the price of `textInput` applies. */
    cachedTextInput: number | null
    /** The price per million cached audio input tokens. If `null`, the price of `audioInput` applies. */
    cachedAudioInput: number | null
    /** The price per million cached image input tokens. If `null`, the price of `imageInput` applies. */
    cachedImageInput: number | null
    /** The price per million text input tokens written to a cache. If `null`, the price of `textInput` applies. */
    cacheWriteTextInput: number | null
  }
  /** The price per hour of audio that is billed by time. `null` if it is unknown. */
  perHour: number | null
  /** When the price takes effect (UTC). */
  validFrom: string
}
