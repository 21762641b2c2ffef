import { BaseSequencer, type TestSpecification } from "vitest/node";

/** vitest's order, with the property tests first. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return propertiesFirst(await super.sort(files));
  }
}

/** At full length a property takes a minute of one core. If it began last, the other cores would have nothing to do. */
export function propertiesFirst<T extends { readonly moduleId: string }>(files: readonly T[]): T[] {
  const isProperty = ({ moduleId }: T) => moduleId.endsWith(".property.test.ts");
  return [...files.filter(isProperty), ...files.filter((file) => !isProperty(file))];
}
