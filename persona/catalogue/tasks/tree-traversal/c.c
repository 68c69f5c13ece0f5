// snippet:doc https://en.cppreference.com/w/c/memory/malloc malloc
#include <stdio.h>
#include <stdlib.h>

struct node {
    const char *name;
    struct node *first_child, *next_sibling;
};

/* Adds a child at the front; NULL when there is no memory, or no parent. */
struct node *add_child(struct node *parent, const char *name)
{
    struct node *child = parent ? malloc(sizeof *child) : NULL;
    if (child)
        *child = (struct node){.name = name, .next_sibling = parent->first_child};
    return child ? parent->first_child = child : NULL;
}

void print_tree(FILE *out, const struct node *node, int depth)
{
    for (int i = 0; i < depth; i++)
        fputs("- ", out);
    fprintf(out, "%s\n", node->name);
    for (const struct node *child = node->first_child; child; child = child->next_sibling)
        print_tree(out, child, depth + 1);
}
// snippet:usage
// snippet:prints house
// snippet:prints - kitchen
// snippet:prints - - stove
// snippet:prints - garden
int main(void)
{
    struct node root = {.name = "house"};
    add_child(&root, "garden");
    struct node *kitchen = add_child(&root, "kitchen");
    add_child(kitchen, "stove");
    print_tree(stdout, &root, 0);
    // snippet:check
    free(kitchen->first_child);
    free(kitchen->next_sibling);
    free(kitchen);
    // snippet:usage
}
