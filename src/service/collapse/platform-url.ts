/** A URL in pieces, as platforms spell theirs (platforms.ts). */
export interface PlatformUrl {
  /** Without www. */
  readonly host: string;
  /** Without a slash at its end; '' for the start page. */
  readonly path: string;
  /** As they stand, `name=value`. */
  readonly parameters: readonly string[];
}

function nameOf(parameter: string): string {
  const end = parameter.indexOf('=');
  return end < 0 ? parameter : parameter.slice(0, end);
}

/** The value of a parameter; undefined where it has none. */
export function parameterOf({ parameters }: PlatformUrl, name: string): string | undefined {
  const value = parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === '' ? undefined : value;
}

/** Without the parameters of these names. */
export function without(url: PlatformUrl, names: readonly string[], isWanted = true): PlatformUrl {
  if (!isWanted || url.parameters.length === 0) return url;
  return { ...url, parameters: url.parameters.filter((parameter) => !names.includes(nameOf(parameter))) };
}
