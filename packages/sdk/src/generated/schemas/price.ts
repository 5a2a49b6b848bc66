// Generated from the contract by `npm run generate`. What is changed here is lost.

/** The prices of models. */
export interface PriceList {
  /** The currency. */
  currency: 'USD'
  /** The organization's own prices. A matching one replaces the built-in price. */
  items: Price[]
  /** When they last changed. Null: there are none. */
  updatedAt: string | null
  /** The built-in prices, for models without an own price. */
  defaults: {
    /** When they were collected. */
    date: string
    /** Their source. */
    source: string
    /** The prices. */
    items: Price[]
  }
}

/** The organization's own prices. They replace the existing ones. */
export interface PriceListInput {
  /** The currency. Default: `"USD"`. */
  currency?: 'USD' | undefined
  /** All prices of the organization. */
  items: {
    /** The kind of connections that the price applies to. */
    kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
    /**
     * The model name of the connection (Azure: the deployment), or a prefix followed by `*`. The longest match
     * applies.
     */
    model: string
    /**
     * Applies to responses with more input tokens than this. Long requests may have another price. Default:
     * `0`.
     */
    aboveInputTokens?: number | undefined
    /**
     * Prices per million tokens. Default:
     * `{"textInput":null,"textOutput":null,"audioInput":null,"audioOutput":null,"imageInput":null,"cachedTextInput":null,"cachedAudioInput":null,"cachedImageInput":null,"cacheWriteTextInput":null}`.
     */
    perMillion?: {
      /** The price per million tokens of text input. Null: not known. */
      textInput?: number | null | undefined
      /** The price per million tokens of text output. Null: not known. */
      textOutput?: number | null | undefined
      /** The price per million tokens of audio input. Null: not known. */
      audioInput?: number | null | undefined
      /** The price per million tokens of audio output. Null: not known. */
      audioOutput?: number | null | undefined
      /** The price per million tokens of image input. Null: not known. */
      imageInput?: number | null | undefined
      /** The price per million tokens of cached text input. Null: the price of textInput. */
      cachedTextInput?: number | null | undefined
      /** The price per million tokens of cached audio input. Null: the price of audioInput. */
      cachedAudioInput?: number | null | undefined
      /** The price per million tokens of cached image input. Null: the price of imageInput. */
      cachedImageInput?: number | null | undefined
      /** The price per million tokens of text written to a cache. Null: the price of textInput. */
      cacheWriteTextInput?: number | null | undefined
    } | undefined
    /** The price per hour of audio, if billed by time. Null: unknown. */
    perHour?: number | null | undefined
    /** When the price takes effect. Earlier usage keeps its cost. */
    validFrom?: string | undefined
  }[]
}

/** The price of a model from a given time on. */
export interface Price {
  /** The kind of connections that the price applies to. */
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
  /**
   * The model name of the connection (Azure: the deployment), or a prefix followed by `*`. The longest match
   * applies.
   */
  model: string
  /** Applies to responses with more input tokens than this. Long requests may have another price. */
  aboveInputTokens: number
  /** Prices per million tokens. */
  perMillion: {
    /** The price per million tokens of text input. Null: not known. */
    textInput: number | null
    /** The price per million tokens of text output. Null: not known. */
    textOutput: number | null
    /** The price per million tokens of audio input. Null: not known. */
    audioInput: number | null
    /** The price per million tokens of audio output. Null: not known. */
    audioOutput: number | null
    /** The price per million tokens of image input. Null: not known. */
    imageInput: number | null
    /** The price per million tokens of cached text input. Null: the price of textInput. */
    cachedTextInput: number | null
    /** The price per million tokens of cached audio input. Null: the price of audioInput. */
    cachedAudioInput: number | null
    /** The price per million tokens of cached image input. Null: the price of imageInput. */
    cachedImageInput: number | null
    /** The price per million tokens of text written to a cache. Null: the price of textInput. */
    cacheWriteTextInput: number | null
  }
  /** The price per hour of audio, if billed by time. Null: unknown. */
  perHour: number | null
  /** When the price takes effect (UTC). */
  validFrom: string
}
