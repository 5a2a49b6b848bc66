/** The nonce for styles in the content security policy. Each response has a new one. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
