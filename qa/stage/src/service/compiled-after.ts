/** How many sessions V8 needs to have optimized what it will: after a third of them one still costs half as much again. */
export const compiledAfterSessions = 3000
