type Listening = {
  /** The program that wants to listen, as the subject of a sentence. */
  who: string
  port: number | string
  /** The setting that changes the port, in a sentence. */
  setting: string
}

/** Returns the error for a port that is in use, with the setting that changes it. */
export function portTaken({ who, port, setting }: Listening): Error {
  return new Error(
    `Port ${port} is in use, so ${who} cannot start. Stop what listens there, or set ${setting}.`,
  )
}

/** Returns an error that explains why the service cannot listen, with the setting to change. */
export function explainListenFault(
  error: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): Error {
  if (error.code === 'EADDRINUSE') {
    const setting = "PORT to another one (the demonstration's ports follow it)"
    return portTaken({ who: 'Wasla', port, setting })
  }
  if (error.code === 'EACCES') {
    return new Error(`This user may not listen on port ${port}: set PORT to 1024 or more.`)
  }
  if (NOT_OURS.has(error.code)) {
    return new Error(
      `HOST is "${host}", which is not an address of this machine (${error.code}). 127.0.0.1 is reached from here alone, 0.0.0.0 from everywhere.`,
    )
  }
  return error
}

const NOT_OURS: ReadonlySet<string | undefined> = new Set([
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
])
