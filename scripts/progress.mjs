// Shows the step of a build and its seconds on one line of a terminal, or one line for each step elsewhere. Writes to
// standard error, because programs without a terminal read the log from standard output.
const output = process.stderr

/** Starts to show progress. Names a step with `step`; `done` prints the duration, `end` only clears the line. */
export function showProgress(title) {
  const startedAt = performance.now()
  let step = ''
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  const clear = () => output.isTTY && output.write('\r\u001b[2K')
  const draw = () => output.write(`\r\u001b[2K${title}… ${seconds()} s (${step})`)
  const timer = output.isTTY ? setInterval(draw, 1000).unref() : undefined
  const end = () => {
    clearInterval(timer)
    clear()
  }
  return {
    step(name) {
      step = name
      if (output.isTTY) draw()
      else output.write(`${title}: ${name}\n`)
    },
    /** Prints lines of a program above the progress. */
    print(text) {
      clear()
      output.write(text)
    },
    done(result) {
      end()
      output.write(`${result} in ${seconds()} s.\n`)
    },
    end,
  }
}
