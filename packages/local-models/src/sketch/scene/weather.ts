import type { Stage } from "./stage.js";
import { circle, num, repeat } from "./svg.js";

/** What falls or hangs in front of everything. */
export function weather(stage: Stage): string {
  const area = Math.min(8, (stage.width * stage.height) / 1e6) * stage.detail.abundance;
  const random = stage.random("weather");
  const x = (): number => random.between(0, stage.width);
  const y = (): number => random.between(0, stage.height);
  switch (stage.weather) {
    case "snow":
      return repeat(90 * area, () =>
        circle({
          x: x(),
          y: y(),
          radius: random.between(3, 9),
          fill: "#ffffff",
          opacity: random.between(0.5, 0.95),
        }),
      );
    case "rain": {
      const drops = repeat(120 * area, () => `M${num(x())} ${num(y())}l-9 ${num(random.between(26, 44))}`);
      return `<path fill="none" stroke="#dcecff" stroke-width="3.5" stroke-linecap="round" opacity=".55" d="${drops}"/>`;
    }
    case "fog":
      return repeat(5, (band) => {
        const top = stage.horizon * (0.55 + band * 0.16) + random.between(-30, 30);
        return `<rect x="-60" y="${num(top)}" width="${num(stage.width + 120)}" height="${num(random.between(50, 110))}" rx="50" fill="#ffffff" opacity=".3"/>`;
      });
    default:
      return "";
  }
}
