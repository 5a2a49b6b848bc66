/** What the page's policy knows our styles by; each answer of the service has another. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
