// snippet:doc https://en.cppreference.com/w/c/io/fprintf printf
// snippet:prints heater |######## 12
// snippet:prints pump   |#################### 30.5
// snippet:prints fan    | 0
#include <stdio.h>
#include <string.h>

struct bar { const char *label; double value; };

/* One line per value, labels (in ASCII) aligned, the longest bar `width` characters. */
void bar_chart(FILE *out, const struct bar *bars, size_t count, int width)
{
    double highest = 0;
    int label_width = 0;
    for (size_t i = 0; i < count; i++) {
        int length = (int)strlen(bars[i].label);
        label_width = length > label_width ? length : label_width;
        highest = bars[i].value > highest ? bars[i].value : highest;
    }
    for (size_t i = 0; i < count; i++) {
        double share = highest > 0 ? bars[i].value / highest : 0;
        int length = share > 0 ? (int)(share * width + 0.5) : 0; /* NaN: no bar */
        fprintf(out, "%-*s |", label_width, bars[i].label);
        for (int n = 0; n < length; n++)
            fputc('#', out);
        fprintf(out, " %.15g\n", bars[i].value);
    }
}
// snippet:usage
int main(void)
{
    const struct bar bars[] = {{"heater", 12}, {"pump", 30.5}, {"fan", 0}};
    bar_chart(stdout, bars, 3, 20);
}
