// Generated from the contract by `npm run generate`. What is changed here is lost.

/** What models cost. */
export interface PriceList {
  /** The currency. */
  currency: 'USD'
  /** The organization's own prices: where one matches, it counts alone. */
  items: Price[]
  /** When they last changed; null: there are none. */
  updatedAt: string | null
  /** The prices that come with the service, for what the organization has no price of its own. */
  defaults: {
    /** When they were gathered. */
    date: string
    /** Where they come from. */
    source: string
    /** The prices. */
    items: Price[]
  }
}

/** The organization's own prices: these take the place of those it had. */
export interface PriceListInput {
  /** The currency. Default: `"USD"`. */
  currency?: 'USD' | undefined
  /** The organization's own prices, all of them. */
  items: {
    /** The kind of the connections it holds for. */
    kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
    /**
     * The model as the connection names it (for Azure, the deployment), or how its name begins, with a `*`
     * behind; the longest counts.
     */
    model: string
    /**
     * Holds for responses that read more tokens than this: long ones may have a price of their own. Default:
     * `0`.
     */
    aboveInputTokens?: number | undefined
    /**
     * Prices of a million tokens. Default:
     * `{"textInput":null,"textOutput":null,"audioInput":null,"audioOutput":null,"imageInput":null,"cachedTextInput":null,"cachedAudioInput":null,"cachedImageInput":null,"cacheWriteTextInput":null}`.
     */
    perMillion?: {
      /** The price of a million tokens of text that the model reads; null: not known. */
      textInput?: number | null | undefined
      /** The price of a million tokens of text that the model writes; null: not known. */
      textOutput?: number | null | undefined
      /** The price of a million tokens of sound that the model hears; null: not known. */
      audioInput?: number | null | undefined
      /** The price of a million tokens of sound that the model speaks; null: not known. */
      audioOutput?: number | null | undefined
      /** The price of a million tokens of pictures that the model sees; null: not known. */
      imageInput?: number | null | undefined
      /** The price of a million tokens of text from a cache; null: that of textInput. */
      cachedTextInput?: number | null | undefined
      /** The price of a million tokens of sound from a cache; null: that of audioInput. */
      cachedAudioInput?: number | null | undefined
      /** The price of a million tokens of pictures from a cache; null: that of imageInput. */
      cachedImageInput?: number | null | undefined
      /** The price of a million tokens of text that is put into a cache; null: that of textInput. */
      cacheWriteTextInput?: number | null | undefined
    } | undefined
    /** The price of an hour of sound, where it is paid for by the time; null: not known. */
    perHour?: number | null | undefined
    /** From when it holds; what was used before is not priced anew. */
    validFrom?: string | undefined
  }[]
}

/** What a model costs, from a moment on. */
export interface Price {
  /** The kind of the connections it holds for. */
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'anthropic' | 'embedded'
  /**
   * The model as the connection names it (for Azure, the deployment), or how its name begins, with a `*`
   * behind; the longest counts.
   */
  model: string
  /** Holds for responses that read more tokens than this: long ones may have a price of their own. */
  aboveInputTokens: number
  /** Prices of a million tokens. */
  perMillion: {
    /** The price of a million tokens of text that the model reads; null: not known. */
    textInput: number | null
    /** The price of a million tokens of text that the model writes; null: not known. */
    textOutput: number | null
    /** The price of a million tokens of sound that the model hears; null: not known. */
    audioInput: number | null
    /** The price of a million tokens of sound that the model speaks; null: not known. */
    audioOutput: number | null
    /** The price of a million tokens of pictures that the model sees; null: not known. */
    imageInput: number | null
    /** The price of a million tokens of text from a cache; null: that of textInput. */
    cachedTextInput: number | null
    /** The price of a million tokens of sound from a cache; null: that of audioInput. */
    cachedAudioInput: number | null
    /** The price of a million tokens of pictures from a cache; null: that of imageInput. */
    cachedImageInput: number | null
    /** The price of a million tokens of text that is put into a cache; null: that of textInput. */
    cacheWriteTextInput: number | null
  }
  /** The price of an hour of sound, where it is paid for by the time; null: not known. */
  perHour: number | null
  /** From when it holds (UTC). */
  validFrom: string
}
